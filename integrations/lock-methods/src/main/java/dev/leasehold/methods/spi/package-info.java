/**
 * For those who put {@link dev.leasehold.methods.Locked} into effect in the objects of a framework.
 *
 * <p>An adapter finds the methods of a class with {@link dev.leasehold.methods.spi.LockedScan},
 * checks each with {@link dev.leasehold.methods.spi.MethodLock#of}, and hands its calls to {@link
 * dev.leasehold.methods.spi.MethodLock#call}. What is wrong is a list of sentences, which the
 * adapter tells when the object is made, in its framework's way.
 */
@NullMarked
package dev.leasehold.methods.spi;

import org.jspecify.annotations.NullMarked;
