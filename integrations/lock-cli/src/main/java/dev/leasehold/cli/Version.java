package dev.leasehold.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, and of the JVM. */
final class Version implements IVersionProvider {
  Version() {}

  @Override
  public String[] getVersion() throws IOException {
    Properties properties = new Properties();
    String name = "version.properties";
    try (InputStream in = Objects.requireNonNull(Version.class.getResourceAsStream(name), name)) {
      properties.load(in);
    }
    return new String[] {
      "leasehold " + properties.getProperty("version"),
      "Java " + System.getProperty("java.version") + ", " + System.getProperty("os.name")
    };
  }
}
