package dev.leasehold.redlock;

import dev.leasehold.lock.spi.quorum.QuorumPolicy;
import dev.leasehold.simulation.KindWorld.Kind;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Kinds of locks on a quorum gone wrong, one fault each; {@link #NONE} is right. */
enum KindMutant {
  NONE(null, ""),
  /** A writer needs half of the nodes. */
  HALF_THE_VOTES(Kind.READ_WRITE, "RW-"),
  /** A node that lost its data votes at once. */
  WRITER_FORGOTTEN(Kind.READ_WRITE, "RW-"),
  /** Nodes say that they have kept a reader's largest vote, and have not. */
  READERS_WRITE_NOTHING_BACK(Kind.READ_WRITE, "RW-6"),
  /** Permits are counted on each node, whichever slots they are. */
  COUNTED_PER_NODE(Kind.SEMAPHORE, "SE-"),
  /** A node that lost its data votes at once. */
  SLOTS_FORGOTTEN(Kind.SEMAPHORE, "SE-"),
  /** Nodes say that they have kept the largest vote for a slot, and have not. */
  SLOTS_WRITE_NOTHING_BACK(Kind.SEMAPHORE, "SE-8"),
  /** Half of the nodes are enough for each of several locks at once. */
  SEVERAL_BY_HALF_THE_VOTES(null, "EX-1|MU-5"),
  /** Who has one of several locks waits for the next. */
  SEVERAL_WAITED_FOR(null, "MU-2"),
  /** Nodes say that they have kept the largest vote, and have not. */
  SEVERAL_WRITE_NOTHING_BACK(null, "MU-5");

  private final @Nullable Kind kind;
  private final String found;

  KindMutant(@Nullable Kind kind, String found) {
    this.kind = kind;
    this.found = found;
  }

  /** Of which kind it breaks something; all, if it is right. */
  boolean is(Kind of) {
    return this == NONE || kind == of;
  }

  /** Whether it breaks something of several locks at once, or is right. */
  boolean isOfSeveral() {
    return kind == null;
  }

  /** How what it breaks begins, as a regular expression. */
  String found() {
    return found;
  }

  boolean votesAtOnce() {
    return this == WRITER_FORGOTTEN || this == SLOTS_FORGOTTEN;
  }

  /** Where half of the nodes are enough, of which there have to be two. */
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
