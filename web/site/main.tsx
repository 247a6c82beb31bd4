import '@fontsource-variable/atkinson-hyperlegible-next/wght.css'
import '@fontsource-variable/atkinson-hyperlegible-mono/wght.css'
import './styles/tokens.css'
import './styles/base.css'
import './styles/parts.css'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './data/preferences.ts'
import { showByFrame } from './data/frames.ts'
import { startWorker } from './data/policy.ts'
import { queries, startReader, takeFirstAnswers } from './data/queries.ts'
import { watchMissingParts } from './data/renewal.ts'
import { isEmbed } from './data/settings.ts'
import { i18n } from './data/words.ts'
import { handOnFocus } from './parts/handed-focus.ts'
import { ignorePressesOnHeld } from './parts/held.ts'
import { router } from './routes.tsx'

/** Starts the website in the shell that the service has filled. */

showByFrame()
takeFirstAnswers()
void startReader()

watchMissingParts()
ignorePressesOnHeld()
handOnFocus()
if (import.meta.env.PROD && !isEmbed) addEventListener('load', () => void startWorker())

const render = () =>
  createRoot(document.getElementById('site') as HTMLElement).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )

// The code of the page comes with the head: with it, what is drawn first is the page, and not the empty frame before it.
const patienceMs = 1_000
const patience = new Promise((resolve) => setTimeout(resolve, patienceMs))
void Promise.race([router.load(), patience]).then(render, render)
