/**
 * The SPI for adapters that apply {@link dev.leasehold.methods.Locked} to the objects of a
 * framework.
 *
 * <p>An adapter finds the methods of a class with {@link dev.leasehold.methods.spi.LockedScan},
 * checks each with {@link dev.leasehold.methods.spi.MethodLock#of}, and passes its calls to {@link
 * dev.leasehold.methods.spi.MethodLock#call}. Errors are a list of sentences, which the adapter
 * reports in its framework's way when the object is created.
 */
@NullMarked
package dev.leasehold.methods.spi;

import org.jspecify.annotations.NullMarked;
