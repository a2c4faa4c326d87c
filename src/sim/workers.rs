//! Work by number on many threads: the same results whatever their number.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

/// Does pieces 0 to `count` of some work on so many threads until all are done or `stop` is set; every thread has a worker
/// of its own, and `each` is called after every piece. What was done comes back in order of the numbers.
///
/// # Errors
/// The first piece of work that failed ends the rest.
pub fn work<Done: Send, Error: Send, Worker: FnMut(usize) -> Result<Done, Error>>(
    count: usize,
    threads: usize,
    stop: &AtomicBool,
    each: &(dyn Fn() + Sync),
    worker: impl Fn() -> Worker + Sync,
) -> Result<Vec<(usize, Done)>, Error> {
    let next = AtomicUsize::new(0);
    let all = Mutex::new(Vec::new());
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                let mut worker = worker();
                let mut own = Vec::new();
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    match worker(number) {
                        Ok(done) => own.push((number, done)),
                        Err(error) => {
                            stop.store(true, Ordering::Relaxed);
                            *lock(&failed) = Some(error);
                        }
                    }
                    each();
                }
                lock(&all).append(&mut own);
            });
        }
    });
    if let Some(error) = lock(&failed).take() {
        return Err(error);
    }
    let mut all = std::mem::take(&mut *lock(&all));
    all.sort_by_key(|(number, _)| *number);
    Ok(all)
}

/// A thread that panicked has left only whole pieces behind.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
