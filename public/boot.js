// Applies the saved theme, size and language before the first paint, and asks for the fonts of the language (the application itself loads later).
;(() => {
  const root = document.documentElement
  root.dataset.theme = (localStorage.getItem('theme') || '').startsWith('dark') ? 'dark' : 'light'
  const size = localStorage.getItem('size')
  root.dataset.size = size === 'small' || size === 'mini' ? size : 'medium'
  root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'zh-CN'
  if (root.lang === 'zh-CN') for (const link of document.querySelectorAll('link.chinese')) link.rel = 'preload'
})()
