//! An operation of one library, ready to be repeated.

/// A state and what is done to it again and again.
pub struct Task(Box<dyn Repeat>);

trait Repeat {
    fn run(&mut self, calls: u32);
    fn result(&mut self) -> Vec<u8>;
}

struct Parts<S, F, G> {
    state: S,
    run: F,
    result: G,
}

impl<S, F: FnMut(&mut S, u32), G: Fn(&S) -> Vec<u8>> Repeat for Parts<S, F, G> {
    fn run(&mut self, calls: u32) {
        (self.run)(&mut self.state, calls);
    }

    fn result(&mut self) -> Vec<u8> {
        (self.result)(&self.state)
    }
}

/// Two tasks, one after the other, as one.
struct Both(Task, Task);

impl Repeat for Both {
    fn run(&mut self, calls: u32) {
        for _ in 0..calls {
            self.0.run(1);
            self.1.run(1);
        }
    }

    fn result(&mut self) -> Vec<u8> {
        [self.0.result(), self.1.result()].concat()
    }
}

impl Task {
    /// `call` is the operation; `result` tells what the calls so far have come to, high byte first.
    pub fn new<S: 'static>(
        state: S,
        mut call: impl FnMut(&mut S) + 'static,
        result: impl Fn(&S) -> Vec<u8> + 'static,
    ) -> Self {
        Self::looping(state, move |state, calls| (0..calls).for_each(|_| call(state)), result)
    }

    /// As [`new`](Task::new), where the loop around the calls needs something of its own.
    pub fn looping<S: 'static>(
        state: S,
        run: impl FnMut(&mut S, u32) + 'static,
        result: impl Fn(&S) -> Vec<u8> + 'static,
    ) -> Self {
        Task(Box::new(Parts { state, run, result }))
    }

    /// One call of each; the results stand one behind the other.
    pub fn both(first: Task, second: Task) -> Self {
        Task(Box::new(Both(first, second)))
    }

    pub fn run(&mut self, calls: u32) {
        self.0.run(calls);
    }

    pub fn result(&mut self) -> Vec<u8> {
        self.0.result()
    }
}
