package dev.leasehold.redis.setnx;

import dev.leasehold.testkit.BackendUnderTest;
import dev.leasehold.testkit.LockConformance;
import dev.leasehold.testkit.RedisBackend;
import dev.leasehold.testkit.view.KeyLayout;
import dev.leasehold.testkit.view.ValueForm;
import java.util.regex.Pattern;

/**
 * A foreign format on the rules on which formats differ: what is stored, by what clock it ends, and
 * polling. The report runs all rules on each.
 */
abstract class FormatConformance extends LockConformance {
  private static final Pattern DIFFERENT =
      Pattern.compile("EX-[12]|LE-[2356]|RN-[23]|LO-4|WA-6|FA-1|AT-.*|FL-2|IN-2");

  private final String scheme;
  private final ValueForm form;

  FormatConformance(String scheme, ValueForm form) {
    this.scheme = scheme;
    this.form = form;
  }

  @Override
  protected BackendUnderTest backend() {
    return RedisBackend.of("redis-setnx")
        .with("lock.redis-setnx.scheme", scheme)
        .with(KeyLayout.BARE_NAME)
        .with(form);
  }

  @Override
  protected boolean includes(String ruleId) {
    return DIFFERENT.matcher(ruleId).matches();
  }
}
