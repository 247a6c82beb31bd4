import { createHash } from 'node:crypto'

/**
 * The style of the reference's page, and the headers that allow it. They are apart from the page, which only the process that makes
 * it needs.
 */

export const style = `
:root { color-scheme: light dark; font: 100%/1.55 system-ui, sans-serif; --line: light-dark(#d4d4da, #3c3d44); --soft: light-dark(#f4f4f6, #1f2025); --quiet: light-dark(#56565e, #b1b2ba); --link: light-dark(#1d4fc4, #9dbcff); scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: light-dark(#fff, #141518); color: light-dark(#17181c, #ececf0); overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: .15em; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.5rem; line-height: 1.25; margin: 3.5rem 0 .75rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; line-height: 1.35; margin: 2rem 0 .5rem; }
p, ul, ol { margin: .5rem 0; max-width: 42rem; }
ul, ol { padding-left: 1.25rem; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; font-size: .9em; }
p code, li code, dd code, td code { background: var(--soft); border-radius: .25rem; padding: .1em .25em; }
pre { margin: .75rem 0; padding: .75rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; word-break: break-all; line-height: 1.5; }
pre { font-size: .84em; }
pre code { font-size: 1em; }
dl { margin: .5rem 0; }
dt { padding-top: .4rem; border-top: 1px solid var(--line); }
dd { padding-bottom: .4rem; }
dt:first-child { border-top: 0; }
dd { margin: 0; max-width: 42rem; }
dd ul { margin: 0; }
dt { color: var(--quiet); }
dt code { color: light-dark(#17181c, #ececf0); font-weight: 600; }
.index { list-style: none; padding: 0; margin: 1rem 0; max-width: none; }
.index code { background: none; padding: 0; }
.index a { display: inline-block; padding: .1rem 0; text-decoration: none; }
.mark { color: var(--quiet); font-size: .85rem; }
.rest { font-size: .9rem; white-space: nowrap; }
table { border-collapse: collapse; margin: .75rem 0; width: 100%; max-width: 42rem; font-variant-numeric: tabular-nums; }
th, td { overflow-wrap: normal; text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-weight: 400; }
tbody th { font-weight: 600; }
nav { margin: 1.5rem 0; font-size: .95rem; }
nav ul { list-style: none; padding: 0; margin: 0; }
nav ul ul { padding-left: 1rem; font-size: .9rem; }
nav a { display: inline-block; padding: .2rem 0; text-decoration: none; }
:target { scroll-margin-top: 1rem; }
h3:target { outline: 2px solid var(--link); outline-offset: .25rem; border-radius: .1rem; margin-bottom: .75rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
@media (max-width: 47.99rem) { nav ul ul { display: none; } nav > ul { columns: 2; } }
@media (min-width: 48rem) {
  .index { columns: 2; column-gap: 2rem; }
  .index li { break-inside: avoid; }
  dl { display: grid; grid-template-columns: 13rem 1fr; }
  dt { padding-right: 1.25rem; }
  dd { padding-top: .4rem; border-top: 1px solid var(--line); }
  dt:first-child + dd { border-top: 0; }
  body { display: grid; grid-template-columns: 13rem minmax(0, 1fr); gap: 0 3rem; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; margin: 0; padding: 1rem 0; box-sizing: border-box; }
  main > section:first-child h2 { margin-top: 1rem; }
}
@media print { nav { display: none; } }
`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  // The empty icon, so that the browser asks for none.
  'img-src data:',
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

export const referenceHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
}
