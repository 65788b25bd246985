/**
 * Listings of locks: what changed from one to the next, and as JSON. Knows neither options nor
 * terminals.
 */
@NullMarked
package dev.leasehold.cli.listing;

import org.jspecify.annotations.NullMarked;
