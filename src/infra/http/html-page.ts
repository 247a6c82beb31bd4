import { createHash } from 'node:crypto'
import { Html, html } from '../../core/html.ts'
import { Answer } from '../../core/operation.ts'

/** HTML pages that the service makes itself: no scripts, one style, readable on a phone. */

const style = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { max-width: 26rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; line-height: 1.25; margin: 0 0 .75rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
ul { list-style: none; margin: 0; padding: 0; display: grid; gap: .5rem; }
.plain { list-style: disc; padding-left: 1.25rem; gap: .25rem; }
.who { display: flex; gap: .75rem; align-items: center; }
.picture { position: relative; flex: none; width: 3rem; height: 3rem; border-radius: 50%; overflow: hidden; display: grid; place-items: center; box-sizing: border-box; border: 1px solid GrayText; font-weight: 600; }
.picture img { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; }
.note { opacity: .8; font-size: .9rem; }
.code { font: 600 1.6rem/1.4 ui-monospace, monospace; letter-spacing: .1em; }
label { display: block; margin-bottom: .25rem; }
input, button { font: inherit; width: 100%; box-sizing: border-box; padding: .75rem 1rem; border: 1px solid GrayText; border-radius: .5rem; overflow-wrap: anywhere; }
button { cursor: pointer; text-align: left; }
button small { display: block; }
.go { margin-top: .5rem; text-align: center; font-weight: 600; }
.yes { background: Highlight; color: HighlightText; }
:focus-visible { outline: 3px solid CanvasText; outline-offset: 2px; }
`

const styleSource = `'sha256-${createHash('sha256').update(style).digest('base64')}'`

export interface PageParts {
  readonly title: string
  readonly main: Html
  readonly status?: number
  /** Content-Security-Policy sources that a form may lead to besides the service itself, also by redirects. */
  readonly formTargets?: readonly string[]
  /** The service's own origin of pictures. (M26) */
  readonly pictures?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A whole page with its own policy: only its style, the service's pictures, and forms that lead back here; never
 * framed.
 */
export function page({ title, main, status = 200, formTargets = [], pictures, headers = {} }: PageParts): Answer {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    ...(pictures === undefined ? [] : [`img-src ${pictures}`]),
    `form-action ${["'self'", ...formTargets].join(' ')}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]
  return new Answer(status, {
    body: document(title, main).text,
    contentType: 'text/html; charset=utf-8',
    headers: {
      'cache-control': 'no-store',
      'content-security-policy': policy.join('; '),
      // Without a referrer, a browser hides the origin of a form, and a genuine form could not be told from a forged
      // one.
      'referrer-policy': 'same-origin',
      ...headers,
    },
  })
}

function document(title: string, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Downbeat</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
}

/** Hidden form fields. */
export function hiddenInputs(members: Readonly<Record<string, string>>): Html[] {
  return Object.entries(members).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">
`,
  )
}
