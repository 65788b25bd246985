package dev.leasehold.redis.set;

import dev.leasehold.testkit.sim.SimCall.Operation;

/** What a call is to a fault plan, by the words that it has for its errors. */
final class Operations {
  private Operations() {}

  static Operation of(String words) {
    return switch (words) {
      case "acquire" -> Operation.ACQUIRE;
      case "release" -> Operation.RELEASE;
      case "release and keep" -> Operation.KEEP;
      case "renew" -> Operation.RENEW;
      case "leave" -> Operation.LEAVE;
      case "raise the fence of" -> Operation.RAISE;
      default -> Operation.INSPECT;
    };
  }
}
