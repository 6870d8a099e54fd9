/*
 * Jobs that split into tasks. Several processes create others at the same time,
 * and each runs and ends when it can. Nobody asks for a process number or counts
 * processes, so the order of creations and ends makes no difference.
 *
 * expect: safety holds
 * states: 268 transitions: 623
 * With `--por static`: 20 states, 19 transitions.
 */

proctype task()
{
    printf("task\n")
}

proctype job()
{
    printf("job\n");
    run task();
    run task()
}

init
{
    run job();
    run job()
}
