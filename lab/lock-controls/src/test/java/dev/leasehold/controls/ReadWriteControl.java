package dev.leasehold.controls;

import java.util.List;

/** A read/write lock that the suite must catch; its plain lock is sound. */
abstract class ReadWriteControl extends Control {
  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("RW-");
  }

  @Override
  List<String> spares() {
    return List.of("RW-1", "RW-3", "RW-5");
  }
}
