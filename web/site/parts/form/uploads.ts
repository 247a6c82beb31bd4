import { createContext, useEffect, useMemo, useState } from 'react'

/**
 * The uploads of a form, whose results are values of it. What is pressed meanwhile to send the form has its effect once
 * they are over: it would be lost, or the form sent without the file.
 */

interface Uploads {
  readonly isSending: boolean
  /** Whether the form is sent once nothing is uploaded any more. */
  readonly isDelayed: boolean
  /** Runs an upload that sets a value of the form, and resolves to whether it did. */
  readonly run: (upload: () => Promise<boolean>) => Promise<void>
}

/** Outside of forms nothing waits for an upload. */
export const UploadsContext = createContext<Uploads>({
  isSending: false,
  isDelayed: false,
  run: async (upload) => void (await upload()),
})

interface OfForm extends Uploads {
  /** Whether the form is sent later; pressing `submitter` again sends it then. */
  readonly delays: (submitter: HTMLElement | null) => boolean
}

export function useUploads(): OfForm {
  const [count, setCount] = useState(0)
  const [delayed, setDelayed] = useState<HTMLElement | null>(null)
  const [due, setDue] = useState<HTMLElement | null>(null)
  const isSending = count > 0
  useEffect(() => {
    if (isSending || delayed === null) return
    setDelayed(null)
    setDue(delayed)
  }, [isSending, delayed])
  // By now the button is drawn with the value that the upload has set.
  useEffect(() => {
    if (due === null) return
    setDue(null)
    due.click()
  }, [due])
  return useMemo(
    () => ({
      isSending,
      isDelayed: delayed !== null,
      async run(upload) {
        setCount((before) => before + 1)
        const isSet = await upload().catch(() => false)
        setCount((before) => before - 1)
        // The reader decides what becomes of the form without the file.
        if (!isSet) setDelayed(null)
      },
      delays(submitter) {
        if (isSending && submitter !== null) setDelayed(submitter)
        return isSending
      },
    }),
    [isSending, delayed],
  )
}
