/** A Spring Integration lock registry on Leasehold's locks. */
@NullMarked
package dev.leasehold.spring.integration;

import org.jspecify.annotations.NullMarked;
