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
/// A large page, in bytes.
const LARGE_PAGE: usize = 2 << 20;
/// An ordinary page, or a part of one, in bytes.
#[cfg(target_os = "linux")]
const SMALL_PAGE: usize = 4096;
/// A line of the processor's cache, in bytes: no bucket straddles two.
const LINE: usize = 64;

/// A fixed number of words, all zero at first.
pub(crate) struct Words {
    start: NonNull<AtomicU64>,
    len: usize,
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
        Some(Words { start, len })
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
        let bytes = self.len * size_of::<AtomicU64>();
        if bytes > 0 {
            unmap(self.start, bytes);
        }
    }
}

/// A fixed number of words of 32 bits, all zero at first.
pub(crate) struct Halves(Words);

impl Halves {
    /// So many, an even number, or `None` if the system has no room for them.
    pub(crate) fn zeroed(len: usize) -> Option<Halves> {
        debug_assert!(len.is_multiple_of(2), "halves come in pairs");
        Words::zeroed(len / 2).map(Halves)
    }

    /// Sets all to zero again.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Gives back the memory of those before `end`: they read as zero, or as what they were, from
    /// now on.
    pub(crate) fn discard_before(&mut self, end: usize) {
        self.0.discard_before(end.min(self.len()) / 2);
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
pub(crate) type Line = [AtomicU32; LINE / size_of::<AtomicU32>()];

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
