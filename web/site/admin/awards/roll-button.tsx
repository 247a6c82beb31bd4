import { useState } from 'react'
import { requestText } from '../../data/api.ts'
import { words } from '../../data/words.ts'
import { saveTable } from '../../parts/csv.ts'
import { Failure } from '../../parts/loaded.tsx'

/** Saves who voted in which categories. It comes with the reader's token, so no plain link can lead to it. */
export function RollButton({ edition, name }: { readonly edition: string; readonly name: string }) {
  const [error, setError] = useState<Error | null>(null)
  const [isLoading, setLoading] = useState(false)
  const load = async () => {
    setLoading(true)
    try {
      const headers = { accept: 'text/csv' }
      saveTable(`${name}-roll`, [await requestText(`/admin/awards/${edition}/roll.csv?for=spreadsheet`, { headers })])
      setError(null)
    } catch (failure) {
      setError(failure as Error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <>
      <button type="button" className="btn" aria-disabled={isLoading} onClick={() => void load()}>
        {words('admin-awards.roll')}
      </button>
      {error !== null && <Failure error={error} again={() => void load()} isTrying={isLoading} />}
    </>
  )
}
