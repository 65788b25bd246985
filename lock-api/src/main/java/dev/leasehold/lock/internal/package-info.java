/** The engine; its picture and rules follow with its code. */
@NullMarked
package dev.leasehold.lock.internal;

import org.jspecify.annotations.NullMarked;
