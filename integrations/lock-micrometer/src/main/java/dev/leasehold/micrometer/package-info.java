/** What happens to locks, as Micrometer's meters and observations. */
@NullMarked
package dev.leasehold.micrometer;

import org.jspecify.annotations.NullMarked;
