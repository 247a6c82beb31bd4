import { type Html, html } from '../../core/html.ts'
import { Answer } from '../../core/operation.ts'
import { brand, styleAddress } from './service-style.ts'

/** HTML pages that the service makes itself: no scripts, the website's look, readable on a phone. */

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
 * A whole page with its own policy: only the style and fonts, the service's pictures, and forms that lead back here; never
 * framed.
 */
export function page({ title, main, status = 200, formTargets = [], pictures, headers = {} }: PageParts): Answer {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    "font-src 'self'",
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
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${styleAddress}">
</head>
<body>
${brand}
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
