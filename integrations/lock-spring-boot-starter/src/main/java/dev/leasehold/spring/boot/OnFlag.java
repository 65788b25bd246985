package dev.leasehold.spring.boot;

import dev.leasehold.lock.spi.Setting;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if a setting is true. Rejects values other than true and false: {@code
 * ConditionalOnProperty} would accept them, and a typo could switch locks off.
 */
abstract class OnFlag extends SpringBootCondition {
  private final Setting<Boolean> setting;

  OnFlag(Setting<Boolean> setting) {
    this.setting = setting;
  }

  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    boolean on = EnvironmentSettings.get(context.getEnvironment(), setting);
    String property = EnvironmentSettings.property(setting.key());
    return new ConditionOutcome(on, ConditionMessage.of(property + " is " + on));
  }

  /** Whether locks are enabled. */
  static final class Locks extends OnFlag {
    static final Setting<Boolean> ENABLED =
        Setting.flag(
            "lock.enabled",
            true,
            "Whether there are locks at all; if not, @Locked methods run without them, and there is"
                + " no LockManager to inject.");

    Locks() {
      super(ENABLED);
    }
  }

  /** Whether meters are enabled. */
  static final class Metrics extends OnFlag {
    Metrics() {
      super(MeterSettings.METRICS);
    }
  }

  /** Whether observations are enabled. */
  static final class Observations extends OnFlag {
    Observations() {
      super(MeterSettings.OBSERVATIONS);
    }
  }
}
