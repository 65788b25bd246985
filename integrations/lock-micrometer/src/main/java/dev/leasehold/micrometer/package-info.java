/** Lock events as Micrometer meters and observations. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
