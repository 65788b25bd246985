/**
 * Negative controls: locks as they are written in practice, each with a flaw that the suite must
 * catch, on exactly the rules that the specification's matrix names.
 *
 * <p>What may come in: schemes that are in use and wrong. {@link dev.leasehold.controls.SoundStore}
 * is their common base, and keeps all rules.
 */
@NullMarked
package dev.leasehold.controls;

import org.jspecify.annotations.NullMarked;
