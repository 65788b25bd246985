package dev.leasehold.cli;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the completion script for a shell. */
@Command(
    name = "completion",
    description = "Prints a completion script: source <(leasehold completion bash)")
final class CompletionCommand implements Runnable {
  /** The supported shells. */
  enum Shell {
    bash,
    zsh
  }

  @Spec CommandSpec spec;

  @Parameters(index = "0", paramLabel = "SHELL", description = "One of ${COMPLETION-CANDIDATES}.")
  Shell shell;

  @Override
  public void run() {
    if (shell == Shell.zsh) { // picocli's script is for bash; zsh runs such ones
      System.out.println("autoload -U +X compinit && compinit");
      System.out.println("autoload -U +X bashcompinit && bashcompinit");
    }
    System.out.print(AutoComplete.bash("leasehold", spec.root().commandLine()));
    System.out.flush();
  }
}
