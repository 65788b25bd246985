package dev.leasehold.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("etcd is measured where it is installed")
class EtcdSubjectTest {
  @Test
  @DisplayName("The first executable of that name on the path is found")
  void found(@TempDir Path folder) throws Exception {
    Path text = Files.createDirectory(folder.resolve("text"));
    Files.createFile(text.resolve("etcd"));
    Path bin = Files.createDirectory(folder.resolve("bin"));
    Path etcd = Files.createFile(bin.resolve("etcd"));
    assertTrue(etcd.toFile().setExecutable(true));
    String path = String.join(File.pathSeparator, folder.toString(), text.toString());
    assertEquals(Optional.empty(), EtcdSubject.installed(""));
    assertEquals(Optional.empty(), EtcdSubject.installed(path));
    assertEquals(Optional.of(etcd), EtcdSubject.installed(path + File.pathSeparator + bin));
  }
}
