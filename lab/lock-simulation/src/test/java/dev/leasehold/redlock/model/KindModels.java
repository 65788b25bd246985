package dev.leasehold.redlock.model;

import static dev.leasehold.redlock.model.ChangeModel.Lists.BEFORE;
import static dev.leasehold.redlock.model.ChangeModel.Lists.BOTH;
import static dev.leasehold.redlock.model.ChangeModel.Lists.NOW;
import static dev.leasehold.redlock.model.CommandModel.Way.COMMANDS;
import static dev.leasehold.redlock.model.CommandModel.Way.SCRIPT;
import static dev.leasehold.redlock.model.KindModel.Role.PERMIT;
import static dev.leasehold.redlock.model.KindModel.Role.READS;
import static dev.leasehold.redlock.model.KindModel.Role.WRITES;
import static dev.leasehold.redlock.model.MarkModel.Version.NEW;
import static dev.leasehold.redlock.model.MarkModel.Version.OLD;

import dev.leasehold.redlock.model.ChangeModel.Lists;
import dev.leasehold.redlock.model.CommandModel.Way;
import dev.leasehold.redlock.model.KindModel.Fault;
import dev.leasehold.redlock.model.KindModel.Role;
import dev.leasehold.redlock.model.MarkModel.Version;
import dev.leasehold.redlock.model.SeveralModel.Wanted;
import dev.leasehold.redlock.model.SmallModel.Found;
import java.util.List;
import java.util.function.Supplier;

/**
 * What is searched of each kind.
 *
 * @param name of the kind, what its clients do, and what goes wrong
 * @param breaks the rule that is broken; empty if none is
 */
record KindModels(String name, Supplier<SmallModel> model, String breaks) {
  private static final Wanted A_AND_B = new Wanted("AB", 1);
  private static final Wanted A_AND_B_TWICE = new Wanted("AB", 2);
  private static final Wanted B_AND_A = new Wanted("BA", 1);
  private static final Wanted B = new Wanted("B", 1);

  /** As they are. */
  static List<KindModels> all() {
    return List.of(
        of(List.of(READS, WRITES), Fault.NONE, 2, ""),
        of(List.of(PERMIT, PERMIT), Fault.NONE, 2, ""),
        of(List.of(READS, READS, WRITES), Fault.NONE, 0, ""),
        of(List.of(READS, WRITES, WRITES), Fault.NONE, 0, ""),
        of(List.of(PERMIT, PERMIT, PERMIT), Fault.NONE, 0, ""),
        fair(List.of(2, 2), FairModel.Fault.NONE, 1, ""),
        fair(List.of(0, 2, 2), FairModel.Fault.NONE, 0, ""),
        fair(List.of(1, 1, 1), FairModel.Fault.NONE, 1, ""),
        several(List.of(A_AND_B_TWICE, B_AND_A), SeveralModel.Fault.NONE, 1, ""),
        several(List.of(A_AND_B, B_AND_A, B), SeveralModel.Fault.NONE, 1, ""),
        change(List.of(BEFORE, BOTH), 0b00111, 0b11100, ChangeModel.Fault.NONE, ""),
        change(List.of(BOTH, NOW), 0b00111, 0b11100, ChangeModel.Fault.NONE, ""),
        change(List.of(BEFORE, NOW), 0b0111, 0b1111, ChangeModel.Fault.STEP_LEFT_OUT, ""),
        linger(List.of(2, 1), LingerModel.Fault.NONE, ""),
        mark(List.of(NEW, NEW, NEW, NEW), 3, MarkModel.Fault.NONE, ""),
        mark(List.of(NEW, NEW, OLD, OLD), 3, MarkModel.Fault.NONE, ""),
        command(List.of(COMMANDS, COMMANDS, SCRIPT), 1, CommandModel.Fault.NONE, ""));
  }

  /** The same within bounds that can be searched in a moment. */
  static List<KindModels> small() {
    return List.of(
        of(List.of(READS, WRITES), Fault.NONE, 1, ""),
        of(List.of(WRITES, WRITES), Fault.NONE, 0, ""),
        of(List.of(PERMIT, PERMIT), Fault.NONE, 0, ""),
        fair(List.of(0, 1, 1), FairModel.Fault.NONE, 0, ""),
        several(List.of(A_AND_B, B_AND_A), SeveralModel.Fault.NONE, 0, ""),
        change(List.of(BEFORE, BOTH), 0b0111, 0b1110, ChangeModel.Fault.NONE, ""),
        change(List.of(BOTH, NOW), 0b0111, 0b1110, ChangeModel.Fault.NONE, ""),
        linger(List.of(1, 1), LingerModel.Fault.NONE, ""),
        mark(List.of(NEW, NEW, NEW), 2, MarkModel.Fault.NONE, ""),
        mark(List.of(NEW, NEW, OLD), 2, MarkModel.Fault.NONE, ""),
        command(List.of(COMMANDS, COMMANDS), 1, CommandModel.Fault.NONE, ""),
        command(List.of(COMMANDS, SCRIPT), 2, CommandModel.Fault.NONE, ""));
  }

  /** With one fault. */
  static List<KindModels> faults() {
    return List.of(
        of(List.of(READS, WRITES), Fault.HALF_THE_VOTES, 0, "RW-1"),
        of(List.of(READS, WRITES), Fault.IMMEDIATE_RESTART, 1, "RW-1"),
        of(List.of(READS, WRITES), Fault.NOTHING_WRITTEN_BACK, 0, "RW-6"),
        of(List.of(PERMIT, PERMIT), Fault.COUNTED_PER_NODE, 0, "SE-7"),
        of(List.of(PERMIT, PERMIT), Fault.IMMEDIATE_RESTART, 1, "SE-7"),
        of(List.of(PERMIT, PERMIT), Fault.NOTHING_WRITTEN_BACK, 0, "SE-8"),
        fair(List.of(1, 1), FairModel.Fault.HALF_THE_VOTES, 0, "EX-1"),
        fair(List.of(1, 1), FairModel.Fault.IMMEDIATE_RESTART, 1, "EX-1"),
        fair(List.of(0, 1, 1), FairModel.Fault.FREE_FOR_ALL, 0, "FA-2"),
        fair(List.of(0, 1, 1), FairModel.Fault.KEPT_FOR_ALL, 0, "FA-2"),
        fair(List.of(0, 2, 2), FairModel.Fault.LAST_EACH_TIME, 0, "FA-2"),
        several(List.of(A_AND_B, B), SeveralModel.Fault.HALF_THE_VOTES, 0, "EX-1"),
        several(List.of(A_AND_B, B), SeveralModel.Fault.IMMEDIATE_RESTART, 1, "EX-1"),
        several(List.of(A_AND_B, B_AND_A), SeveralModel.Fault.LEFT_BEHIND, 0, "MU-1"),
        several(List.of(A_AND_B, B_AND_A), SeveralModel.Fault.KEPT_WHILE_IT_WAITS, 0, "MU-2"),
        several(List.of(A_AND_B, B), SeveralModel.Fault.LOSS_UNSEEN, 0, "MU-3"),
        change(List.of(BEFORE, NOW), 0b0111, 0b1110, ChangeModel.Fault.STEP_LEFT_OUT, "EX-1"),
        change(List.of(BEFORE, BOTH), 0b0111, 0b1110, ChangeModel.Fault.ONE_LIST, "EX-1"),
        change(
            List.of(BEFORE, BOTH), 0b0111, 0b1110, ChangeModel.Fault.WRITTEN_BACK_TO_ONE, "FE-1"),
        linger(List.of(1, 1), LingerModel.Fault.EARLY_RECALL_FORGOTTEN, "ST-2"),
        linger(List.of(1, 1), LingerModel.Fault.RECALL_FORGOTTEN, "ST-2"),
        linger(List.of(2, 1), LingerModel.Fault.QUEUE_UNREPORTED, "ST-2"),
        linger(List.of(1, 1), LingerModel.Fault.TAKEN_AFTER_RELEASE, "ST-1"),
        linger(List.of(1, 1), LingerModel.Fault.TAKEN_AFTER_DEADLINE, "ST-1"),
        linger(List.of(1, 1), LingerModel.Fault.REVIVED_AFTER_DEADLINE, "ST-3"),
        linger(List.of(1, 1), LingerModel.Fault.NOTHING_SET_ASIDE, "ST-3"),
        linger(List.of(1, 1), LingerModel.Fault.SET_ASIDE_ON_ONE, "ST-3"),
        linger(List.of(2, 1), LingerModel.Fault.RETURNED_BLINDLY, "ST-3"),
        mark(List.of(NEW, NEW), 1, MarkModel.Fault.NOT_MARKED, "WA-8"),
        mark(List.of(NEW, NEW, NEW), 1, MarkModel.Fault.GRANTED_UNMARKED, "WA-8"),
        mark(List.of(OLD, NEW), 1, MarkModel.Fault.OTHERS_MARKED, "WA-8"),
        mark(List.of(NEW, NEW, NEW), 1, MarkModel.Fault.NOT_COMPARED, "EX-1"),
        mark(List.of(NEW, NEW), 1, MarkModel.Fault.NO_SCRIPT, "WA-8"),
        command(List.of(COMMANDS, SCRIPT), 1, CommandModel.Fault.FENCE_FIRST, "FE-1"),
        command(List.of(COMMANDS, SCRIPT), 3, CommandModel.Fault.FENCE_NOT_COMPARED, "FE-1"),
        command(List.of(COMMANDS, SCRIPT), 1, CommandModel.Fault.TOKEN_NOT_COMPARED, "EX-1"),
        command(
            List.of(COMMANDS, COMMANDS, SCRIPT),
            1,
            CommandModel.Fault.GRANTED_WITHOUT_FENCE,
            "FE-1"),
        command(List.of(COMMANDS, SCRIPT), 1, CommandModel.Fault.NOT_CONFIRMED, "EX-1"));
  }

  private static KindModels of(List<Role> roles, Fault fault, int restarts, String breaks) {
    String name = named(roles.toString(), fault, restarts);
    return new KindModels(name, () -> new KindModel(roles, fault, restarts), breaks);
  }

  private static KindModels fair(
      List<Integer> rounds, FairModel.Fault fault, int restarts, String breaks) {
    String name = named("in order, rounds " + rounds, fault, restarts);
    return new KindModels(name, () -> new FairModel(rounds, fault, restarts), breaks);
  }

  private static KindModels several(
      List<Wanted> wanted, SeveralModel.Fault fault, int restarts, String breaks) {
    String clients = String.join(", ", wanted.stream().map(Wanted::toString).toList());
    String name = named("several, " + clients, fault, restarts);
    return new KindModels(name, () -> new SeveralModel(wanted, fault, restarts), breaks);
  }

  /** A step may be left out where the lists differ by one node. */
  private static KindModels change(
      List<Lists> clients, int before, int now, ChangeModel.Fault fault, String breaks) {
    String lists =
        "lists " + Integer.toBinaryString(before) + " and " + Integer.toBinaryString(now);
    String name = named(lists + ", clients " + clients, fault, 0);
    return new KindModels(name, () -> new ChangeModel(clients, before, now, fault), breaks);
  }

  private static KindModels linger(List<Integer> attempts, LingerModel.Fault fault, String breaks) {
    String name = named("lingering, attempts " + attempts, fault, 0);
    return new KindModels(name, () -> new LingerModel(attempts, fault), breaks);
  }

  private static KindModels mark(
      List<Version> clients, int attempts, MarkModel.Fault fault, String breaks) {
    String name = named("marks, " + attempts + " attempts of " + clients, fault, 0);
    return new KindModels(name, () -> new MarkModel(clients, attempts, fault), breaks);
  }

  private static KindModels command(
      List<Way> clients, int attempts, CommandModel.Fault fault, String breaks) {
    String name = named("commands, " + attempts + " attempts of " + clients, fault, 0);
    return new KindModels(name, () -> new CommandModel(clients, attempts, fault), breaks);
  }

  private static String named(String clients, Enum<?> fault, int restarts) {
    String wrong = fault.name().equals("NONE") ? "" : ", " + fault;
    return clients + wrong + (restarts == 0 ? "" : ", restarts: " + restarts);
  }

  Found run() {
    return model.get().run();
  }

  @Override
  public String toString() {
    return name;
  }
}
