//! The different values of a component, numbered as they are met: 0, 1, 2, …
//!
//! There are few of them, and they are looked up often: to look one up takes no lock. To add one
//! does. A value that was given a number keeps it, and once there are as many as fit, no other gets
//! one; so whether a value has a number is settled for ever when it is first asked for.

use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use ample_transition::{Budget, StoreFull};

use crate::hash::mix;

/// Values of at most so many bits are looked up by themselves in an array.
pub(crate) const ARRAY_BITS: u32 = 14;
/// Values with numbers of at most so many bits are found by number in an array, too.
const FLAT_BITS: u32 = 12;
/// The values of the first piece, as a number of bits; each of the others is twice as large.
const FIRST_BITS: u32 = 6;
/// Enough pieces for all numbers.
const PIECES: usize = 33 - FIRST_BITS as usize;

/// Where the numbers of a component come from.
pub(super) enum Numbers {
    /// Its bits are its number.
    Bits,
    /// The number of each value plus one.
    Array(Arc<[AtomicU16]>),
    /// A hash table.
    Table,
}

/// The values of one component.
pub(crate) struct Values {
    /// The number of each value plus one, or zero, if values have few bits.
    array: Option<Arc<[AtomicU16]>>,
    /// The same by hash: open addressing, at most three quarters full. When there are more values,
    /// a larger table takes its place; the old one stays for those who are looking into it.
    tables: [OnceLock<Box<[AtomicU32]>>; PIECES],
    /// The table in use.
    current: AtomicUsize,
    /// The values by number, if numbers have few bits.
    flat: Box<[AtomicU64]>,
    /// The same if they have many.
    pieces: [OnceLock<Box<[AtomicU64]>>; PIECES],
    /// How many have a number. Held by whoever adds one.
    count: Mutex<u32>,
    /// There are at most so many.
    most: u64,
    memory: AtomicUsize,
    budget: Budget,
}

impl Values {
    /// No values yet, of so many bits; for numbers of `width` bits.
    pub(crate) fn new(bits: u32, width: u32, budget: &Budget) -> Result<Values, StoreFull> {
        let mut values = Values {
            array: None,
            tables: [const { OnceLock::new() }; PIECES],
            current: AtomicUsize::new(0),
            flat: Box::default(),
            pieces: [const { OnceLock::new() }; PIECES],
            count: Mutex::new(0),
            most: 1 << width.min(31),
            memory: AtomicUsize::new(0),
            budget: budget.clone(),
        };
        if width <= FLAT_BITS {
            values.pay(size_of::<AtomicU64>() << width)?;
            values.flat = (0..1 << width).map(|_| AtomicU64::new(0)).collect();
        }
        if bits <= ARRAY_BITS {
            values.pay(size_of::<AtomicU16>() << bits)?;
            values.array = Some((0..1 << bits).map(|_| AtomicU16::new(0)).collect());
        } else {
            values.tables[0] = OnceLock::from(values.table(2 << FIRST_BITS)?);
        }
        Ok(values)
    }

    fn pay(&self, bytes: usize) -> Result<(), StoreFull> {
        self.budget.take(bytes)?;
        self.memory.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    fn table(&self, places: usize) -> Result<Box<[AtomicU32]>, StoreFull> {
        self.pay(places * size_of::<AtomicU32>())?;
        Ok((0..places).map(|_| AtomicU32::new(0)).collect())
    }

    /// Where the numbers of values are found first.
    pub(super) fn numbers(&self) -> Numbers {
        self.array.clone().map_or(Numbers::Table, Numbers::Array)
    }

    /// The value with this number, which was given.
    #[inline]
    pub(crate) fn value(&self, number: u32) -> u64 {
        match self.flat.get(number as usize) {
            Some(word) => word.load(Ordering::Relaxed),
            None => self.value_in_piece(number),
        }
    }

    fn value_in_piece(&self, number: u32) -> u64 {
        let (piece, offset) = locate(number);
        let word = self.pieces[piece].get().and_then(|piece| piece.get(offset));
        word.map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// The number of a value that has one.
    #[inline]
    pub(crate) fn find(&self, value: u64) -> Option<u32> {
        match &self.array {
            Some(array) => Some(u32::from(array.get(value as usize)?.load(Ordering::Acquire).checked_sub(1)?)),
            None => self.probe(self.current_table()?, value).ok(),
        }
    }

    /// The number of a value, new or old; `None` if it gets none.
    #[cold]
    #[inline(never)]
    pub(crate) fn number(&self, value: u64) -> Result<Option<u32>, StoreFull> {
        let mut count = self.count.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(number) = self.find(value) {
            return Ok(Some(number));
        }
        if u64::from(*count) == self.most {
            return Ok(None);
        }
        let number = *count;
        self.write(number, value)?;
        match &self.array {
            Some(array) => array[value as usize].store(number as u16 + 1, Ordering::Release),
            None => self.enter(number, value)?,
        }
        *count += 1;
        Ok(Some(number))
    }

    /// Writes a value where it is found by its number.
    fn write(&self, number: u32, value: u64) -> Result<(), StoreFull> {
        if let Some(word) = self.flat.get(number as usize) {
            word.store(value, Ordering::Relaxed);
            return Ok(());
        }
        let (piece, offset) = locate(number);
        if self.pieces[piece].get().is_none() {
            let size = 1_usize << (piece as u32 + FIRST_BITS);
            self.pay(size * size_of::<AtomicU64>())?;
            _ = self.pieces[piece].set((0..size).map(|_| AtomicU64::new(0)).collect());
        }
        if let Some(word) = self.pieces[piece].get().and_then(|piece| piece.get(offset)) {
            word.store(value, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Enters the next number, in a larger table if need be.
    fn enter(&self, number: u32, value: u64) -> Result<(), StoreFull> {
        let Some(table) = self.current_table() else { return Err(StoreFull) };
        if (number as usize + 1) * 4 <= table.len() * 3 {
            self.put(table, number, value);
            return Ok(());
        }
        let larger = self.table(table.len() * 2)?;
        (0..number).for_each(|known| self.put(&larger, known, self.value(known)));
        self.put(&larger, number, value);
        let next = self.current.load(Ordering::Relaxed) + 1;
        _ = self.tables[next].set(larger);
        self.current.store(next, Ordering::Release);
        Ok(())
    }

    fn put(&self, table: &[AtomicU32], number: u32, value: u64) {
        if let Err(place) = self.probe(table, value) {
            table[place].store(number + 1, Ordering::Release);
        }
    }

    /// The number of a value in a table, or the place that is free for it.
    #[inline]
    fn probe(&self, table: &[AtomicU32], value: u64) -> Result<u32, usize> {
        let mask = table.len() - 1;
        let mut place = (mix(value) >> 32) as usize & mask;
        while let Some(number) = table[place].load(Ordering::Acquire).checked_sub(1) {
            if self.value(number) == value {
                return Ok(number);
            }
            place = (place + 1) & mask;
        }
        Err(place)
    }

    #[inline]
    fn current_table(&self) -> Option<&[AtomicU32]> {
        self.tables[self.current.load(Ordering::Acquire)].get().map(|table| &**table)
    }

    /// The bytes it holds.
    pub(crate) fn memory(&self) -> usize {
        self.memory.load(Ordering::Relaxed)
    }
}

impl Drop for Values {
    fn drop(&mut self) {
        self.budget.give(self.memory());
    }
}

/// The piece of a number and its place in it.
#[inline]
fn locate(number: u32) -> (usize, usize) {
    let shifted = u64::from(number) + (1 << FIRST_BITS);
    let bits = shifted.ilog2();
    ((bits - FIRST_BITS) as usize, (shifted - (1 << bits)) as usize)
}
