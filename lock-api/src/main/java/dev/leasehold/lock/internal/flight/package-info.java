/**
 * Events for the JDK's flight recorder. The only package that uses the module {@code jdk.jfr}, and
 * only if it is present: an image without it works as well.
 */
@NullMarked
package dev.leasehold.lock.internal.flight;

import org.jspecify.annotations.NullMarked;
