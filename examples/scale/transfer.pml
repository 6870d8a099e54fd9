/*
 * Transfers between accounts, by several tellers at once.
 *
 * A teller withdraws from one account and hears whether there was enough; if so, the
 * amount is in flight until the teller has paid it in elsewhere. Accounts are
 * processes; withdrawing, the verdict and paying in are handshakes inside `atomic`
 * on both sides, and a teller is blocked halfway when the account is not ready. An
 * auditor looks at every moment whether all the money is there.
 *
 * expect: safety holds
 * states: 3502 transitions: 12799
 * scale: -D ACCOUNTS=3 -D TELLERS=3 -D BALANCE=1 states: 3110045 transitions: 17229849
 */

#ifndef ACCOUNTS
#define ACCOUNTS 2
#endif
#ifndef TELLERS
#define TELLERS 2
#endif
#ifndef BALANCE
#define BALANCE 2                               /* of each account, at first */
#endif
#ifndef MOST
#define MOST 1                                  /* that is transferred at once */
#endif

chan debit[ACCOUNTS] = [0] of { byte, byte };   /* by whom, how much */
chan credit[ACCOUNTS] = [0] of { byte };
chan verdict[TELLERS] = [0] of { bool };

byte balance[ACCOUNTS] = BALANCE;
byte in_flight;                                 /* withdrawn, and not yet paid in */

proctype account(byte me)
{
    byte who, amount;

end:
    do
    :: atomic {
           debit[me]?who,amount ->
           if
           :: balance[me] >= amount ->
              balance[me] = balance[me] - amount;
              in_flight = in_flight + amount;
              verdict[who]!true
           :: balance[me] < amount ->
              verdict[who]!false
           fi;
           who = 0;
           amount = 0
       }
    :: atomic {
           credit[me]?amount ->
           balance[me] = balance[me] + amount;
           in_flight = in_flight - amount;
           amount = 0
       }
    od
}

proctype teller(byte me)
{
    byte from, to, amount;
    bool paid;

    do
    :: atomic {
           select(from : 0 .. ACCOUNTS - 1);
           select(to : 1 .. ACCOUNTS - 1);
           to = (from + to) % ACCOUNTS;
           select(amount : 1 .. MOST)
       };
       atomic { debit[from]!me,amount; from = 0; verdict[me]?paid };
       atomic {
           if
           :: paid -> credit[to]!amount
           :: !paid
           fi;
           paid = false;
           to = 0;
           amount = 0
       }
    od
}

active proctype auditor()
{
    byte i, sum;

end:
    do
    :: d_step {
           sum = in_flight;
           for (i : 0 .. ACCOUNTS - 1) {
               sum = sum + balance[i]
           }
           assert(sum == ACCOUNTS * BALANCE);
           sum = 0;
           i = 0
       }
    od
}

init
{
    byte i;

    atomic {
        for (i : 0 .. ACCOUNTS - 1) {
            run account(i)
        }
        for (i : 0 .. TELLERS - 1) {
            run teller(i)
        }
        i = 0
    }
}
