import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeWebsite, startFakeWebsite } from '../fakes/website.ts'
import { openBrowser, type RealBrowser } from './browser.ts'
import { faultsOf } from './faults.ts'
import { provisionMs } from './provide.ts'

let browser: RealBrowser
let website: FakeWebsite
beforeAll(async () => {
  browser = await openBrowser()
  website = await startFakeWebsite({
    '/curious': `<title>Curious</title><img src="https://pictures.example/a.png"><img src="http://192.0.2.7/b.png">
      <script>new WebSocket('wss://sockets.example/'); document.title = 'ran'</script>`,
    '/good': `<html lang="en" style="color-scheme: light dark"><meta name="viewport" content="width=device-width"><title>Good</title><h1>Good</h1>
      <label for="name">Name</label><input id="name" style="font-size: 16px; height: 44px">
      <button style="height: 44px">Go</button>`,
    '/bad': `<meta name="viewport" content="width=device-width"><div style="width: 400px">wide</div><img src="">
      <input style="font-size: 15px; height: 43px; box-sizing: border-box"><button style="height: 20px">Go</button>
      <p style="color: #777">pale</p><p style="opacity: .5">faint</p>
      <div style="background: #000; color: #fff"><span style="color: #595959">dark on dark</span></div>`,
  })
}, provisionMs)
afterAll(async () => {
  await browser.close()
  await website.close()
})

test('a page reaches nothing beyond this machine, and what it asks for there is noted', async () => {
  website.misbehave(/\/away$/, { status: 302, headers: { location: 'https://elsewhere.example/' } })
  await using visitor = await browser.visitor(website)
  await visitor.page.goto('/curious')
  expect(await visitor.page.title()).toBe('ran')
  await expect(visitor.page.goto('/away')).rejects.toThrow('ERR_NAME_NOT_RESOLVED')
  expect([...visitor.outside].sort()).toEqual([
    'http://192.0.2.7/b.png',
    'https://elsewhere.example/',
    'https://pictures.example/a.png',
    'wss://sockets.example/',
  ])
})

test('scripts are off for whom they are to be off', async () => {
  await using visitor = await browser.visitor(website, { javaScript: false })
  await visitor.page.goto('/curious')
  expect(await visitor.page.title()).toBe('Curious')
})

test('a page that is as it should be has no faults, on a phone and in the dark too', async () => {
  for (const options of [{}, { phone: true }, { phone: true, dark: true }, { phone: true, javaScript: false }]) {
    await using visitor = await browser.visitor(website, options)
    await visitor.page.goto('/good')
    expect(await faultsOf(visitor.page)).toEqual([])
  }
})

test('each fault of a page is found', async () => {
  await using visitor = await browser.visitor(website, { phone: true })
  await visitor.page.goto('/bad')
  expect(await faultsOf(visitor.page)).toEqual([
    'the page has no title',
    'the page does not say its language',
    'the page has 0 main headings',
    'the page is 408 wide on a screen of 360',
    'pictures without text in their place: 1',
    'input without a label',
    'the input “” is 43 high',
    'the input “” has text of 15',
    'the button “Go” is 20 high',
    '“pale” has a contrast of 4.48',
    '“faint” has a contrast of 3.98',
    '“dark on dark” has a contrast of 3.00',
  ])
})
