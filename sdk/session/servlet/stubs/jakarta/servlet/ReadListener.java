package jakarta.servlet;

public interface ReadListener {}
