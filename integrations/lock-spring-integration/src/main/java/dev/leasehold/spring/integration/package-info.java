/** Spring Integration's lock registries on Leasehold's locks. */
@NullMarked
package dev.leasehold.spring.integration;

import org.jspecify.annotations.NullMarked;
