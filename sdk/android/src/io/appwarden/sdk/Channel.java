package io.appwarden.sdk;

import android.content.Context;
import io.appwarden.sdk.core.Json;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;

/**
 * The promotion channel that a channel package was made for: a pair of the APK Signing Block, or a file in META-INF where v1 alone signs the
 * package. It says where a package came from, and proves nothing: others can change it without breaking the signature.
 */
public final class Channel {
  private static final Charset UTF_8 = Charset.forName("UTF-8");
  private static final int PAIR = 0x71777777;
  private static final int END = 0x06054b50;
  private static final int RECORD = 0x02014b50;
  private static final String FILE = "META-INF/channel_";
  private static final int LONGEST_END = 22 + 0xffff;
  private static final int MOST_BYTES = 64 << 20;

  private Channel() {}

  /** The key of the channel of this app, or null without one. Reads the end of the installed package; call it off the main thread. */
  public static String get(Context context) {
    return of(new File(context.getApplicationInfo().sourceDir));
  }

  /** The key of the channel of a package, or null where it has none or cannot be read. */
  public static String of(File apk) {
    try (RandomAccessFile file = new RandomAccessFile(apk, "r")) {
      long size = file.length();
      ByteBuffer last = read(file, Math.max(0, size - LONGEST_END), (int) Math.min(size, LONGEST_END));
      int end = last.limit() - 22;
      while (end >= 0 && !(last.getInt(end) == END && end + 22 + (last.getShort(end + 20) & 0xffff) == last.limit())) end--;
      if (end < 0) return null;
      long directory = last.getInt(end + 16) & 0xffffffffL;
      String key = inBlock(file, directory);
      return key != null ? key : inDirectory(read(file, directory, last.getInt(end + 12)));
    } catch (IOException | RuntimeException unreadable) {
      return null;
    }
  }

  private static String inBlock(RandomAccessFile file, long directory) throws IOException {
    if (directory < 32) return null;
    ByteBuffer foot = read(file, directory - 24, 24);
    if (!"APK Sig Block 42".equals(new String(foot.array(), 8, 16, UTF_8))) return null;
    long length = foot.getLong(0);
    if (length < 24 || length > directory - 8 || length > MOST_BYTES) return null;
    ByteBuffer pairs = read(file, directory - length, (int) length - 24);
    while (pairs.remaining() >= 12) {
      long size = pairs.getLong();
      if (size < 4 || size > pairs.remaining()) return null;
      int id = pairs.getInt();
      byte[] value = new byte[(int) size - 4];
      pairs.get(value);
      if (id != PAIR) continue;
      Object key = Json.object(new String(value, UTF_8)).get("channel");
      return key instanceof String ? (String) key : null;
    }
    return null;
  }

  private static String inDirectory(ByteBuffer records) {
    for (int at = 0; at + 46 <= records.limit() && records.getInt(at) == RECORD; ) {
      int length = records.getShort(at + 28) & 0xffff;
      String name = new String(records.array(), at + 46, length, UTF_8);
      if (name.startsWith(FILE)) return name.substring(FILE.length());
      at += 46 + length + (records.getShort(at + 30) & 0xffff) + (records.getShort(at + 32) & 0xffff);
    }
    return null;
  }

  private static ByteBuffer read(RandomAccessFile file, long from, int length) throws IOException {
    if (length < 0 || length > MOST_BYTES) throw new IOException("too large");
    byte[] bytes = new byte[length];
    file.seek(from);
    file.readFully(bytes);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
