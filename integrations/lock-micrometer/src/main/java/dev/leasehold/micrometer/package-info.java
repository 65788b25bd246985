/** What happens to locks, as Micrometer's meters. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
