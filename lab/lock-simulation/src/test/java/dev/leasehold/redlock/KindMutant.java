package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.simulation.KindWorld.Kind;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults of the kinds of locks on a quorum, one each; {@link #NONE} is correct. */
enum KindMutant {
  NONE(null, ""),
  /** A writer needs half of the nodes. */
  HALF_THE_VOTES(Kind.READ_WRITE, "RW-"),
  /** A node that lost its data votes at once. */
  WRITER_FORGOTTEN(Kind.READ_WRITE, "RW-"),
  /** Nodes claim to have stored a reader's largest vote, but have not. */
  READERS_WRITE_NOTHING_BACK(Kind.READ_WRITE, "RW-6"),
  /** Each node counts permits without regard to slots. */
  COUNTED_PER_NODE(Kind.SEMAPHORE, "SE-"),
  /** A node that lost its data votes at once. */
  SLOTS_FORGOTTEN(Kind.SEMAPHORE, "SE-"),
  /** Nodes claim to have stored the largest vote for a slot, but have not. */
  SLOTS_WRITE_NOTHING_BACK(Kind.SEMAPHORE, "SE-8"),
  /** Half of the nodes are enough for each of several locks at once. */
  SEVERAL_BY_HALF_THE_VOTES(null, "EX-1|MU-5"),
  /** A holder of one of several locks waits for the next. */
  SEVERAL_WAITED_FOR(null, "MU-2"),
  /** Nodes claim to have stored the largest vote, but have not. */
  SEVERAL_WRITE_NOTHING_BACK(null, "MU-5");

  private final @Nullable Kind kind;
  private final String found;

  KindMutant(@Nullable Kind kind, String found) {
    this.kind = kind;
    this.found = found;
  }

  /** Whether it affects this kind; a correct one counts for all. */
  boolean is(Kind of) {
    return this == NONE || kind == of;
  }

  /** Whether it affects several locks at once, or is correct. */
  boolean isOfSeveral() {
    return kind == null;
  }

  /** A regular expression for the start of the violations it causes. */
  String found() {
    return found;
  }

  boolean votesAtOnce() {
    return this == WRITER_FORGOTTEN || this == SLOTS_FORGOTTEN;
  }

  /** Whether half of the nodes suffice, so that there must be an even number. */
  boolean needsAnEvenNumber() {
    return this == HALF_THE_VOTES || this == SEVERAL_BY_HALF_THE_VOTES;
  }

  QuorumPolicy policy() {
    return needsAnEvenNumber()
        ? nodes -> nodes.size() >= nodes.outOf() / 2
        : QuorumPolicy.majority();
  }

  UnaryOperator<String> change() {
    return switch (this) {
      case READERS_WRITE_NOTHING_BACK ->
          ScriptChange.of("if kept < last then", "if kept < last and ARGV[2] == 'w' then")
              .in("readwrite-raise.lua");
      case COUNTED_PER_NODE ->
          ScriptChange.of("if not is_free(slot) then return false end", "").in("slots.lua");
      case SLOTS_WRITE_NOTHING_BACK ->
          ScriptChange.of("if (kept or 0) < last then", "if false then").in("slots-raise.lua");
      case SEVERAL_WRITE_NOTHING_BACK ->
          ScriptChange.of("if last < v + r then", "if false then").in("raise.lua");
      default -> UnaryOperator.identity();
    };
  }
}
