//! Memory straight from the system: zeroed words, given back as soon as they are not needed, in
//! large pages where the system has them; what else the process does not use, given back, too; and
//! hints to the processor.
//!
//! Tables of many megabytes that are grown and given up again would leave an ordinary allocator
//! with holes that count as memory in use. And a random look-up in such a table misses the
//! processor's table of pages, too, unless pages are large.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64};

/// From this size on, memory is mapped and not allocated.
const MAPPED_FROM: usize = 1 << 16;
/// There are addresses for so many times as much memory as is mapped at first, and for so many if
/// that is more than so many bytes.
#[cfg(target_os = "linux")]
const ROOM: usize = 16;
#[cfg(target_os = "linux")]
const MUCH_ROOM: usize = 1024;
#[cfg(target_os = "linux")]
const ROOMY_FROM: usize = 1 << 19;
/// A large page, in bytes.
const LARGE_PAGE: usize = 2 << 20;
/// An ordinary page, or a part of one, in bytes.
#[cfg(target_os = "linux")]
const SMALL_PAGE: usize = 4096;
/// A line of the processor's cache, in bytes: no bucket straddles two.
const LINE: usize = 64;

/// So many words of 32 bits are one.
const LINE_WORDS: usize = LINE / size_of::<AtomicU32>();

/// Words, all zero at first.
pub(crate) struct Words {
    start: NonNull<AtomicU64>,
    len: usize,
    /// For so many there are addresses.
    room: usize,
}

// SAFETY: `Words` owns its memory, and all access to it is through atomics.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

impl Words {
    /// So many words, or `None` if the system has no room for them.
    pub(crate) fn zeroed(len: usize) -> Option<Words> {
        let bytes = len.checked_mul(size_of::<AtomicU64>())?;
        let start = if bytes == 0 { Some(NonNull::dangling()) } else { map(bytes) }?;
        Some(Words { start, len, room: len })
    }

    /// The same, with addresses for many times as many, if the system has them: they take no
    /// memory.
    fn zeroed_with_room(len: usize) -> Option<Words> {
        #[cfg(target_os = "linux")]
        if let Some(room) = room_for(len)
            && let Some(start) = reserve(room * size_of::<AtomicU64>())
        {
            let mut words = Words { start, len: 0, room };
            return words.extend(len).then_some(words);
        }
        Words::zeroed(len)
    }

    /// The words from here on share a large page with what comes behind: the system has small ones
    /// for them.
    fn end_of_large_pages(&self) -> usize {
        let in_page = LARGE_PAGE / size_of::<AtomicU64>();
        self.len / in_page * in_page
    }

    /// Becomes so many words, more than there are, at the same place. Those from
    /// [`Self::end_of_large_pages`] on are zero afterwards. False if that is not possible: then
    /// these may be gone.
    fn extend(&mut self, len: usize) -> bool {
        if len > self.room {
            return false;
        }
        let kept = self.end_of_large_pages();
        self.len = kept;
        let is_done = open_up(self.start, kept * size_of::<AtomicU64>(), len * size_of::<AtomicU64>());
        if is_done {
            self.len = len;
        }
        is_done
    }

    /// Sets all words to zero again.
    pub(crate) fn clear(&mut self) {
        // SAFETY: `start` points to `len` words that nobody else can reach now; zero is a valid
        // `AtomicU64`.
        unsafe { self.start.write_bytes(0, self.len) };
    }

    /// Sets all words to zero again by giving back their memory: for many words of which few were
    /// used.
    pub(crate) fn clear_sparse(&mut self) {
        let bytes = self.len * size_of::<AtomicU64>();
        #[cfg(target_os = "linux")]
        if bytes >= MAPPED_FROM {
            // SAFETY: our own mapping, which nobody else can reach now. A private one is zero
            // afterwards.
            let is_done = unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_DONTNEED) } == 0;
            if is_done {
                return;
            }
        }
        let _ = bytes;
        self.clear();
    }

    /// Gives back the memory of the words before `end`, in large pages: they read as zero, or as
    /// what they were, from now on.
    pub(crate) fn discard_before(&mut self, end: usize) {
        let bytes = (end * size_of::<AtomicU64>()) / LARGE_PAGE * LARGE_PAGE;
        #[cfg(target_os = "linux")]
        if bytes > 0 && self.len * size_of::<AtomicU64>() >= MAPPED_FROM {
            // SAFETY: whole pages at the start of our own mapping. They are zero afterwards, which
            // is a value like any other.
            unsafe { libc::madvise(self.start.as_ptr().cast(), bytes, libc::MADV_DONTNEED) };
        }
        let _ = bytes;
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `start` points to `len` words that live as long as `self`; zero is a valid
        // `AtomicU64`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        let bytes = self.room * size_of::<AtomicU64>();
        if bytes > 0 {
            unmap(self.start, bytes);
        }
    }
}

/// Words of 32 bits, all zero at first. There may be more later, at the same place.
pub(crate) struct Halves(Words);

impl Halves {
    /// So many, an even number, or `None` if the system has no room for them.
    pub(crate) fn zeroed(len: usize) -> Option<Halves> {
        debug_assert!(len.is_multiple_of(2), "halves come in pairs");
        Words::zeroed_with_room(len / 2).map(Halves)
    }

    /// The line with this number; none if there is no such line.
    pub(crate) fn line(&mut self, number: usize) -> Option<Line> {
        self.lines().get_mut(number).map(|line| line.each_mut().map(|word| AtomicU32::new(*word.get_mut())))
    }

    /// The same, which is zero afterwards.
    #[inline]
    pub(crate) fn take_line(&mut self, number: usize) -> Option<Line> {
        self.lines().get_mut(number).map(std::mem::take)
    }

    fn lines(&mut self) -> &mut [Line] {
        // SAFETY: as for `deref`; nobody else can reach them now, and a line has the alignment of
        // its words.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr().cast(), self.0.len * 2 / LINE_WORDS) }
    }

    /// What [`Self::extend`] does not keep begins here.
    pub(crate) fn end_of_kept(&self) -> usize {
        self.0.end_of_large_pages() * 2
    }

    /// Becomes so many, an even number, more than there are, at the same place. Those from
    /// [`Self::end_of_kept`] on are zero afterwards. False if that is not possible: then these may
    /// be gone.
    pub(crate) fn extend(&mut self, len: usize) -> bool {
        self.0.extend(len / 2)
    }

    /// Sets all to zero again.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for Halves {
    type Target = [AtomicU32];

    fn deref(&self) -> &[AtomicU32] {
        // SAFETY: the words live as long as `self`, are aligned for halves, and are never accessed
        // as whole words; zero is a valid `AtomicU32`.
        unsafe { std::slice::from_raw_parts(self.0.start.as_ptr().cast(), self.0.len * 2) }
    }
}

fn layout(bytes: usize) -> Option<Layout> {
    Layout::from_size_align(bytes, LINE).ok()
}

fn map(bytes: usize) -> Option<NonNull<AtomicU64>> {
    #[cfg(target_os = "linux")]
    if bytes >= MAPPED_FROM {
        return map_pages(bytes);
    }
    // SAFETY: the size is not zero.
    NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) }.cast())
}

fn unmap(start: NonNull<AtomicU64>, bytes: usize) {
    #[cfg(target_os = "linux")]
    if bytes >= MAPPED_FROM {
        // SAFETY: `start` and `bytes` are what `map_pages` gave.
        unsafe { libc::munmap(start.as_ptr().cast(), bytes) };
        return;
    }
    if let Some(layout) = layout(bytes) {
        // SAFETY: allocated by `map` with this very layout.
        unsafe { dealloc(start.as_ptr().cast(), layout) };
    }
}

#[cfg(target_os = "linux")]
fn map_pages(bytes: usize) -> Option<NonNull<AtomicU64>> {
    let (read_write, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // More than is needed, so that it can begin with a large page.
    let slack = if bytes >= LARGE_PAGE { LARGE_PAGE } else { 0 };
    // SAFETY: a new anonymous mapping touches nothing that exists.
    let start =
        unsafe { libc::mmap(std::ptr::null_mut(), bytes + slack, read_write, private | libc::MAP_NORESERVE, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    if slack == 0 {
        return NonNull::new(start.cast());
    }
    let bytes = bytes.next_multiple_of(SMALL_PAGE);
    let before = start.align_offset(LARGE_PAGE);
    // SAFETY: what is given back lies before and after the part that is kept, inside the mapping;
    // the rest is advice: if it fails, the pages are small.
    unsafe {
        let kept = start.byte_add(before);
        if before > 0 {
            libc::munmap(start, before);
        }
        if slack > before {
            libc::munmap(kept.byte_add(bytes), slack - before);
        }
        libc::madvise(kept, bytes, libc::MADV_HUGEPAGE);
        NonNull::new(kept.cast())
    }
}

/// For how many words there should be addresses, where there are so many; `None` if they are few,
/// or if the user limits the addresses of the process: others need them, too.
#[cfg(target_os = "linux")]
fn room_for(len: usize) -> Option<usize> {
    let bytes = len * size_of::<AtomicU64>();
    let times = if bytes < ROOMY_FROM { ROOM } else { MUCH_ROOM };
    if bytes < MAPPED_FROM || are_addresses_limited() { None } else { len.checked_mul(times) }
}

#[cfg(target_os = "linux")]
fn are_addresses_limited() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit is written to our own variable.
    let is_known = unsafe { libc::getrlimit(libc::RLIMIT_AS, &raw mut limit) } == 0;
    !is_known || limit.rlim_cur != libc::RLIM_INFINITY
}

/// Addresses for so many bytes, behind which there is nothing yet; from the start of a large page,
/// if they have room for one.
#[cfg(target_os = "linux")]
fn reserve(bytes: usize) -> Option<NonNull<AtomicU64>> {
    let slack = if bytes >= LARGE_PAGE { LARGE_PAGE } else { 0 };
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new anonymous mapping touches nothing that exists.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), bytes.checked_add(slack)?, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    let before = if slack > 0 { start.align_offset(LARGE_PAGE) } else { 0 };
    // SAFETY: what is given back lies before and after the part that is kept, inside the mapping.
    unsafe {
        let kept = start.byte_add(before);
        if before > 0 {
            libc::munmap(start, before);
        }
        if slack > before {
            libc::munmap(kept.byte_add(bytes.next_multiple_of(SMALL_PAGE)), slack - before);
        }
        NonNull::new(kept.cast())
    }
}

/// Puts zeroed memory behind addresses that were reserved, from the byte `from` up to `to`, in
/// large pages; those before that have it already.
#[cfg(target_os = "linux")]
fn open_up(start: NonNull<AtomicU64>, from: usize, to: usize) -> bool {
    let read_write = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED;
    // SAFETY: whole pages of our own reservation, which nobody else can reach now, and of which the
    // caller forgets what was there. That pages are to be large is advice: if it fails, they are
    // small.
    unsafe {
        let opened = libc::mmap(start.as_ptr().byte_add(from).cast(), to - from, read_write, flags, -1, 0);
        if opened == libc::MAP_FAILED {
            return false;
        }
        if to >= LARGE_PAGE {
            libc::madvise(start.as_ptr().cast(), to.next_multiple_of(SMALL_PAGE), libc::MADV_HUGEPAGE);
        }
    }
    true
}

#[cfg(not(target_os = "linux"))]
fn open_up(_start: NonNull<AtomicU64>, _from: usize, _to: usize) -> bool {
    false
}

/// Gives back what the process holds and does not use now: free pages between what is allocated,
/// and the pages of the program itself, of which a search needs few. The system reads those again
/// that are needed.
pub(crate) fn give_back_unused() {
    // SAFETY: only memory that is free is given back.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    unsafe {
        libc::malloc_trim(0);
    }
    // SAFETY: `give_back_program` is what is called for each part of the program.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::dl_iterate_phdr(Some(give_back_program), std::ptr::null_mut());
    }
}

/// Gives back the pages of a part of the program, or of a library, that nobody may write to.
#[cfg(target_os = "linux")]
unsafe extern "C" fn give_back_program(
    part: *mut libc::dl_phdr_info,
    _size: libc::size_t,
    _data: *mut libc::c_void,
) -> libc::c_int {
    // SAFETY: the system's description of a part of the program, valid during this call.
    let (base, segments) = unsafe {
        let part = &*part;
        (part.dlpi_addr as usize, std::slice::from_raw_parts(part.dlpi_phdr, usize::from(part.dlpi_phnum)))
    };
    for segment in segments.iter().filter(|segment| segment.p_type == libc::PT_LOAD) {
        let start = (base + segment.p_vaddr as usize).next_multiple_of(SMALL_PAGE);
        let end = (base + segment.p_vaddr as usize + segment.p_memsz as usize) / SMALL_PAGE * SMALL_PAGE;
        if segment.p_flags & libc::PF_W == 0 && start < end {
            // SAFETY: whole pages of a file, which are as they are there: what is read or run next
            // is fetched from it again. If the system refuses, nothing has changed.
            unsafe { libc::madvise(std::ptr::with_exposed_provenance_mut(start), end - start, libc::MADV_DONTNEED) };
        }
    }
    0
}

/// A line of the processor's cache, as words of 32 bits.
pub(crate) type Line = [AtomicU32; LINE_WORDS];

/// Which of the first words of a line are equal to this one, as bits.
#[inline(always)]
pub(crate) fn equal_words(line: &Line, first: u32, word: u32) -> u32 {
    equal_in_line(line, word) & ((1 << first) - 1)
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn equal_in_line(line: &Line, word: u32) -> u32 {
    let equal: u32;
    // SAFETY: what is read are the sixteen words of the line, each in one piece: for this processor
    // that is what sixteen relaxed loads are. The stack and the flags are left alone.
    unsafe {
        std::arch::asm!(
            "movd {a}, {word:e}",
            "pshufd {a}, {a}, 0",
            "movdqu {b}, [{line}]",
            "movdqu {c}, [{line} + 16]",
            "movdqu {d}, [{line} + 32]",
            "movdqu {e}, [{line} + 48]",
            "pcmpeqd {b}, {a}",
            "pcmpeqd {c}, {a}",
            "pcmpeqd {d}, {a}",
            "pcmpeqd {e}, {a}",
            "packssdw {b}, {c}",
            "packssdw {d}, {e}",
            "packsswb {b}, {d}",
            "pmovmskb {equal:e}, {b}",
            line = in(reg) line.as_ptr(),
            word = in(reg) word,
            a = out(xmm_reg) _,
            b = out(xmm_reg) _,
            c = out(xmm_reg) _,
            d = out(xmm_reg) _,
            e = out(xmm_reg) _,
            equal = lateout(reg) equal,
            options(nostack, readonly, preserves_flags),
        );
    }
    equal
}

#[cfg(not(all(target_arch = "x86_64", not(miri))))]
#[inline(always)]
fn equal_in_line(line: &Line, word: u32) -> u32 {
    use std::sync::atomic::Ordering;
    let places = line.iter().enumerate();
    places.fold(0, |equal, (place, other)| equal | u32::from(other.load(Ordering::Relaxed) == word) << place)
}

/// Asks the processor to fetch the line of this word.
#[inline]
pub(crate) fn prefetch(word: &AtomicU64) {
    prefetch_at(std::ptr::from_ref(word).addr());
}

/// Asks the processor to fetch the line at this address. It may be any: where nothing is, nothing
/// happens.
#[inline]
pub(crate) fn prefetch_at(address: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which does not access memory.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(std::ptr::without_provenance(address));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::*;

    /// Three large pages and a half, then five: what fills pages stays, the rest is zero.
    #[test]
    #[cfg(target_os = "linux")]
    fn memory_grows_in_its_place() {
        let page = LARGE_PAGE / size_of::<AtomicU32>();
        let mut halves = Halves::zeroed(page * 7 / 2).unwrap();
        halves.iter().zip(1..).for_each(|(half, number)| half.store(number, Ordering::Relaxed));
        let start = halves.as_ptr();
        assert_eq!(halves.end_of_kept(), page * 3);
        assert_eq!(halves.take_line(1).map(|line| line.map(AtomicU32::into_inner)[0]), Some(LINE_WORDS as u32 + 1));
        assert!(halves.extend(page * 5) && halves.as_ptr() == start && halves.len() == page * 5);
        let is_right = |(place, half): (usize, &AtomicU32)| {
            let is_kept = place < page * 3 && !(LINE_WORDS..2 * LINE_WORDS).contains(&place);
            half.load(Ordering::Relaxed) == if is_kept { place as u32 + 1 } else { 0 }
        };
        assert!(halves.iter().enumerate().all(is_right));
    }

    #[test]
    fn without_room_memory_stays_as_it_is() {
        let mut halves = Halves::zeroed(1 << 16).unwrap();
        halves.iter().for_each(|half| half.store(7, Ordering::Relaxed));
        assert!(!halves.extend(usize::MAX / 16) && halves.len() == 1 << 16);
        assert!(halves.iter().all(|half| half.load(Ordering::Relaxed) == 7));
        assert!(halves.line(1 << 12).is_none() && halves.take_line(0).is_some());
    }
}
