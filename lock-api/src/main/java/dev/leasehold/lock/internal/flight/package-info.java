/**
 * What locks tell the flight recorder of the JDK. The only package that uses the module {@code
 * jdk.jfr}, and only where that is there: an image without it works as well.
 */
@NullMarked
package dev.leasehold.lock.internal.flight;

import org.jspecify.annotations.NullMarked;
