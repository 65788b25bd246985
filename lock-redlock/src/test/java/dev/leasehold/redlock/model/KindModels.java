package dev.leasehold.redlock.model;

import static dev.leasehold.redlock.model.KindModel.Role.PERMIT;
import static dev.leasehold.redlock.model.KindModel.Role.READS;
import static dev.leasehold.redlock.model.KindModel.Role.WRITES;

import dev.leasehold.redlock.model.KindModel.Fault;
import dev.leasehold.redlock.model.KindModel.Found;
import dev.leasehold.redlock.model.KindModel.Role;
import java.util.List;

/**
 * What is searched of read/write locks and semaphores.
 *
 * @param breaks the rule that is broken; empty if none is
 */
record KindModels(List<Role> roles, Fault fault, int crashes, String breaks) {

  /** As it is. */
  static List<KindModels> all() {
    return List.of(
        new KindModels(List.of(READS, WRITES), Fault.NONE, 2, ""),
        new KindModels(List.of(PERMIT, PERMIT), Fault.NONE, 2, ""),
        new KindModels(List.of(READS, READS, WRITES), Fault.NONE, 0, ""),
        new KindModels(List.of(READS, WRITES, WRITES), Fault.NONE, 0, ""),
        new KindModels(List.of(PERMIT, PERMIT, PERMIT), Fault.NONE, 0, ""));
  }

  /** With one fault. */
  static List<KindModels> faults() {
    return List.of(
        new KindModels(List.of(READS, WRITES), Fault.HALF_THE_VOTES, 0, "RW-1"),
        new KindModels(List.of(READS, WRITES), Fault.IMMEDIATE_RESTART, 1, "RW-1"),
        new KindModels(List.of(READS, WRITES), Fault.NOTHING_WRITTEN_BACK, 0, "RW-6"),
        new KindModels(List.of(PERMIT, PERMIT), Fault.COUNTED_PER_NODE, 0, "SE-7"),
        new KindModels(List.of(PERMIT, PERMIT), Fault.IMMEDIATE_RESTART, 1, "SE-7"),
        new KindModels(List.of(PERMIT, PERMIT), Fault.NOTHING_WRITTEN_BACK, 0, "SE-8"));
  }

  Found run() {
    return new KindModel(roles, fault, crashes).run();
  }
}
