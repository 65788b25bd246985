package dev.leasehold.testkit.sim;

/** What a simulated server may get wrong: negative controls for those who check. */
public enum Flaw {
  /** A release frees the lock whoever has it. */
  RELEASE_IGNORES_TOKEN,
  /** A renewal prolongs the lock whoever has it, and says so. */
  RENEWAL_IGNORES_TOKEN,
  /** A renewal may shorten. */
  RENEWAL_SHORTENS,
  /** A token that asks again gets its time to live as asked, even if it has more. */
  GRANT_SHORTENS,
  /** Locks end after nine tenths of their time. */
  EXPIRES_EARLY,
  /** Fences count from one again after data was lost. */
  FENCE_COUNTS_ONLY,
  /** A fence that is written back is confirmed, and not kept. */
  RAISES_NOTHING,
  /** A release sets the last number given, whoever has the lock and whatever was given since. */
  GIVES_BACK_BLINDLY,
  /** A waiter is never woken. */
  WAKES_NOBODY
}
