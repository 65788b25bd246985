package dev.leasehold.controls;

import java.util.List;

/**
 * A semaphore that the suite must catch; its plain lock is sound, so the matrix only covers SE
 * rules.
 */
abstract class PermitControl extends Control {
  @Override
  boolean concerns(String ruleId) {
    return ruleId.startsWith("SE-");
  }

  @Override
  List<String> spares() {
    return List.of("SE-1", "SE-3", "SE-8");
  }
}
