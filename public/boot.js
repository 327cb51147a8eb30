// Applies the saved theme, size and language before the first paint (the application itself loads later).
;(() => {
  const root = document.documentElement
  root.dataset.theme = (localStorage.getItem('theme') || '').startsWith('dark') ? 'dark' : 'light'
  const size = localStorage.getItem('size')
  root.dataset.size = size === 'small' || size === 'mini' ? size : 'medium'
  root.lang = localStorage.getItem('language') === 'en' ? 'en' : 'zh-CN'
})()
