package dev.leasehold.redis.set;

import dev.leasehold.testkit.sim.SimCall.Operation;

/** Maps a call to an operation of a fault plan, by the text used in its errors. */
final class Operations {
  private Operations() {}

  static Operation of(String words) {
    return switch (words) {
      case "acquire" -> Operation.ACQUIRE;
      case "release" -> Operation.RELEASE;
      case "release and keep" -> Operation.KEEP;
      case "renew" -> Operation.RENEW;
      case "leave" -> Operation.LEAVE;
      case "recall" -> Operation.RECALL;
      case "raise the fence of" -> Operation.RAISE;
      default -> Operation.INSPECT;
    };
  }
}
