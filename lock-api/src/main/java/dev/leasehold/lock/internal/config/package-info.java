/**
 * From settings to a manager: where settings come from, which there are, what is wrong with them,
 * and which backend on the path they ask for.
 *
 * <p>It uses the engine, and the engine nothing of it: whoever builds a manager in code needs no
 * settings.
 *
 * <p>What may come in: what reads, checks and applies settings of every backend. A backend's own
 * stand with the backend.
 */
@NullMarked
package dev.leasehold.lock.internal.config;

import org.jspecify.annotations.NullMarked;
