import { invalid } from '../problems.ts'
import { Broke, papers, Refused } from './maker.ts'
import type { ImageTask } from './maker-process.ts'

const UNREADABLE = 'La imagen no se pudo leer. Guárdela de nuevo como JPG o PNG.'

/** An image of ours with what can be seen in the one that came; what cannot be decoded is 422 under its field. */
export async function decodeImage(
  field: string,
  task: ImageTask,
): Promise<{ content: Buffer<ArrayBuffer>; type: string }> {
  try {
    const made = await papers.make<{ content: Uint8Array; type: string }>('image', task)
    return { content: Buffer.from(made.content), type: made.type }
  } catch (error) {
    if (error instanceof Refused) throw invalid({ [field]: error.message })
    if (error instanceof Broke) throw invalid({ [field]: UNREADABLE })
    throw error
  }
}
