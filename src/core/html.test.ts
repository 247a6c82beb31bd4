import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped in text and in attributes, whichever quotes stand around them', () => {
  const hostile = `"><script>alert('1')</script>&amp;`
  expect(html`<p title="${hostile}" lang='${hostile}'>${hostile}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;" lang=\'&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;\'>&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;</p>',
  )
})

test('markup inside markup stays as it is, alone or as a list', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`)
  expect(html`<ul>${items}</ul>${html`<hr>`}${3}`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul><hr>3')
})

test('a dollar sign or a backslash in a value means itself', () => {
  expect(html`<p>${'$& \\u0041 $1'}</p>`.text).toBe('<p>$&amp; \\u0041 $1</p>')
})
