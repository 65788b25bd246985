/**
 * Threads, timers and time: which thread runs what, and how actions leave a mutex.
 *
 * <p>The engine's own work runs on its own threads; user code runs only on callback threads or on
 * the executor that was passed in. If an executor or a scheduler refuses a task, the manager's own
 * threads run it. A failing action does not stop the others.
 *
 * <p>Uses: nothing of the engine.
 */
@NullMarked
package dev.leasehold.lock.internal.threads;

import org.jspecify.annotations.NullMarked;
