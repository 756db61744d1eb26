import { crc32, deflateRawSync } from 'node:zlib'

/** A part already squeezed, and the size it claims to have. */
interface Squeezed {
  deflated: Buffer
  size: number
}

/** A zip written by hand, so that it can also lie. */
export function zip(parts: Record<string, string | Buffer>, squeezed: Record<string, Squeezed> = {}): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, part] of [
    ...Object.entries(parts).filter(([n]) => !(n in squeezed)),
    ...Object.entries(squeezed),
  ]) {
    const raw = typeof part === 'string' ? Buffer.from(part) : part
    const { deflated, size } = Buffer.isBuffer(raw) ? { deflated: deflateRawSync(raw), size: raw.length } : raw
    const crc = Buffer.isBuffer(raw) ? crc32(raw) : 0
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt32LE(crc, 10)
    fields.writeUInt32LE(deflated.length, 14)
    fields.writeUInt32LE(size, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    bodies.push(Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), deflated)
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 0, 'latin1')
    entry.writeUInt16LE(20, 4)
    fields.copy(entry, 6, 0, 26)
    entry.writeUInt32LE(offset, 42)
    directory.push(entry, Buffer.from(name))
    offset += 30 + Buffer.byteLength(name) + deflated.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(directory.length / 2, 8)
  end.writeUInt16LE(directory.length / 2, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, listed, end])
}
