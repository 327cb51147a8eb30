package jakarta.servlet;

import java.io.OutputStream;

public abstract class ServletOutputStream extends OutputStream {
  public abstract boolean isReady();

  public abstract void setWriteListener(WriteListener listener);
}
