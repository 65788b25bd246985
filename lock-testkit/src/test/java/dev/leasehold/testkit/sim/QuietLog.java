package dev.leasehold.testkit.sim;

import java.util.logging.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Thousands of worlds lose leases and servers by the dozen: what the engine logs of it is not
 * printed while these tests run.
 */
final class QuietLog implements BeforeAllCallback, AfterAllCallback {
  /** Held, so that it is not collected with what is set. */
  private static final Logger LOGGER = Logger.getLogger("dev.leasehold.lock");

  @Override
  public void beforeAll(ExtensionContext context) {
    LOGGER.setUseParentHandlers(false);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LOGGER.setUseParentHandlers(true);
  }
}
