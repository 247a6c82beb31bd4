import { useMemo } from 'react'
import { Joined, type Reading } from '../../../../overlay/model/joined.ts'
import { now } from '../../../data/live.ts'
import { useEditing } from '../editing.ts'

/** The values of the data tree, with what the scenes are filled with. */
export function useReading(): Reading | null {
  const { filling, document: scenes } = useEditing()
  const { variables } = scenes
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the document only the variables are in the tree
  return useMemo(() => {
    if (filling === null) return null
    const joined = new Joined()
    joined.document = scenes
    joined.control = filling.control
    joined.data = filling.data
    joined.values = filling.values
    return joined.reading(now())
  }, [filling, variables])
}
