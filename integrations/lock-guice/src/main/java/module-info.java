/**
 * Lock managers, locks and locked methods for Guice, with settings from Typesafe Config.
 *
 * <p>A package whose classes have {@link dev.leasehold.methods.Locked} methods must be opened to
 * {@code com.google.guice}, as for every class that Guice creates.
 */
// Guice and Typesafe Config are automatic modules under stable names. An automatic module does not
// resolve its named dependencies: Guice needs jakarta.inject and, for method interception,
// jdk.unsupported.
// aopalliance, whose interceptor Guice takes, has only the name of its file. It is not required:
// a module that reads Guice reads all automatic modules, including this one. (The pom passes it to
// javac.)
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
module dev.leasehold.guice {
  requires transitive dev.leasehold.lock;
  requires transitive dev.leasehold.methods;
  requires transitive com.google.guice;
  requires transitive jakarta.inject;
  requires transitive typesafe.config;
  requires jdk.unsupported;
  requires static org.jspecify;

  exports dev.leasehold.guice;
}
