/**
 * From settings to a manager: reads and checks settings, and finds the backend on the path that
 * they name.
 *
 * <p>It uses the engine, but the engine does not use it: a manager can be built in code without
 * settings.
 *
 * <p>Belongs here: code that reads, checks and applies settings common to all backends. Settings of
 * one backend belong to that backend.
 */
@NullMarked
package dev.leasehold.lock.internal.config;

import org.jspecify.annotations.NullMarked;
