package jakarta.servlet;

import java.io.InputStream;

public abstract class ServletInputStream extends InputStream {
  public abstract boolean isFinished();

  public abstract boolean isReady();

  public abstract void setReadListener(ReadListener listener);
}
