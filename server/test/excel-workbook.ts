import { zip } from './zip.ts'

/**
 * A workbook in the shapes that Excel itself writes. It is modelled on what Excel puts into its files, part by part and
 * attribute by attribute, and was not saved by Excel: shared texts with rich runs and phonetic hints, cell styles with
 * built-in and custom date formats, shared formulas with their calculation chain, inline errors, a hidden sheet, a
 * filter name, merged titles, spans, and the parts around them (theme, properties, relationships) that readers skip.
 */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const relationships = (list: [id: string, type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}">${list
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

const texts = (workshop: string) => [
  '<t>Inventario de repuestos</t>',
  '<t>Código</t>',
  '<t>Ubicación</t>',
  // Half of a heading in bold: Excel cuts it into runs.
  '<r><rPr><b/><sz val="11"/><color theme="1"/><rFont val="Calibri"/><family val="2"/><scheme val="minor"/></rPr><t xml:space="preserve">Nombre </t></r><r><rPr><sz val="11"/><color theme="1"/><rFont val="Calibri"/><family val="2"/><scheme val="minor"/></rPr><t>del insumo</t></r>',
  '<t>Costo unitario</t>',
  '<t>Unidad de medida</t>',
  '<t>Última compra</t>',
  '<t>00123</t>',
  `<t>${workshop}</t>`,
  '<r><t xml:space="preserve">Filtro de </t></r><r><rPr><b/><sz val="11"/><color rgb="FFFF0000"/><rFont val="Calibri"/><family val="2"/><scheme val="minor"/></rPr><t>aceite</t></r><phoneticPr fontId="1"/>',
  '<t>Unidad</t>',
  '<t>EX-2</t>',
  '<t xml:space="preserve">  Correa &amp; tensor  </t>',
  '<t>EX-3</t>',
  '<t>Ñandú_x000D_\nsegunda línea</t>',
  '<t>Listas</t>',
]

const sharedStrings = (workshop: string) => {
  const list = texts(workshop)
  return `${XML}<sst xmlns="${MAIN}" count="${list.length + 4}" uniqueCount="${list.length}">${list
    .map((text) => `<si>${text}</si>`)
    .join('')}</sst>`
}

/** Style 1: the built-in date; 2: a date as people in Chile choose it; 3: pesos; 4: a title. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac x16r2 xr" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:x16r2="http://schemas.microsoft.com/office/spreadsheetml/2015/02/main" xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision"><numFmts count="2"><numFmt numFmtId="164" formatCode="[$-340A]dd\\-mm\\-yyyy;@"/><numFmt numFmtId="165" formatCode="_-&quot;$&quot;\\ * #,##0_-;\\-&quot;$&quot;\\ * #,##0_-;_-&quot;$&quot;\\ * &quot;-&quot;_-;_-@_-"/></numFmts><fonts count="2" x14ac:knownFonts="1"><font><sz val="11"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font><font><b/><sz val="14"/><color theme="1"/><name val="Calibri"/><family val="2"/><scheme val="minor"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="14" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" applyAlignment="1"><alignment horizontal="center"/></xf></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles><dxfs count="0"/><tableStyles count="0" defaultTableStyle="TableStyleMedium2" defaultPivotStyle="PivotStyleLight16"/></styleSheet>`

const SHEET_HEAD = `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${OFFICE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x14ac xr xr2 xr3" xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac" xmlns:xr="http://schemas.microsoft.com/office/spreadsheetml/2014/revision" xmlns:xr2="http://schemas.microsoft.com/office/spreadsheetml/2015/revision2" xmlns:xr3="http://schemas.microsoft.com/office/spreadsheetml/2016/revision3" xr:uid="{00000000-0001-0000-0000-000000000000}">`
const row = (r: number, cells: string, more = '') =>
  `<row r="${r}" spans="1:6"${more} x14ac:dyDescent="0.25">${cells}</row>`
const text = (ref: string, index: number, style = '') => `<c r="${ref}"${style} t="s"><v>${index}</v></c>`

const SHEET = `${SHEET_HEAD}<sheetPr filterMode="1"><pageSetUpPr fitToPage="1"/></sheetPr><dimension ref="A1:F9"/><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="3" topLeftCell="A4" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="D9" sqref="D9"/></sheetView></sheetViews><sheetFormatPr baseColWidth="10" defaultRowHeight="15" x14ac:dyDescent="0.25"/><cols><col min="1" max="1" width="12.7109375" customWidth="1"/><col min="6" max="6" width="14" style="2" hidden="1" customWidth="1"/></cols><sheetData>${[
  row(1, `${text('A1', 0, ' s="4"')}<c r="B1" s="4"/><c r="C1" s="4"/>`, ' ht="18.75"'),
  row(3, [1, 2, 3, 4, 5, 6].map((index, i) => text(`${'ABCDEF'[i]}3`, index)).join('')),
  // A code typed as text keeps its zeros; the date is a serial number with a style.
  row(
    4,
    `${text('A4', 7)}${text('B4', 8)}${text('C4', 9)}<c r="D4" s="3"><v>1234.56</v></c>${text('E4', 10)}<c r="F4" s="1"><v>46082</v></c>`,
  ),
  row(
    5,
    `${text('A5', 11)}${text('B5', 8)}${text('C5', 12)}<c r="D5"><f t="shared" ref="D5:D6" si="0">ROUND(D4*2,4)</f><v>2469.12</v></c>${text('E5', 10)}<c r="F5" s="2"><v>46113.5</v></c>`,
  ),
  // Kept by the filter from view, not from the file; the cost is a float as Excel writes floats.
  row(
    6,
    `${text('A6', 13)}${text('B6', 8)}${text('C6', 14)}<c r="D6"><f t="shared" si="0"/><v>0.30000000000000004</v></c><c r="E6" t="str"><f>E5&amp;""</f><v>Unidad</v></c><c r="F6" s="2"/>`,
    ' hidden="1"',
  ),
  // A code that is a number, a name that a formula makes, and a blank at the end.
  row(
    7,
    `<c r="A7"><v>77</v></c>${text('B7', 8)}<c r="C7" t="str"><f>CONCATENATE("Perno ",A7)</f><v>Perno 77</v></c><c r="D7"><v>1.29E+4</v></c>`,
  ),
  row(9, '<c r="A9" s="1"/><c r="F9" s="2"/>'),
].join(
  '',
)}</sheetData><autoFilter ref="A3:F7" xr:uid="{00000000-0009-0000-0000-000000000000}"/><mergeCells count="1"><mergeCell ref="A1:C1"/></mergeCells><phoneticPr fontId="1" type="noConversion"/><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/><pageSetup paperSize="9" orientation="landscape"/></worksheet>`

const HIDDEN = `${SHEET_HEAD}<dimension ref="A1"/><sheetViews><sheetView workbookViewId="0"/></sheetViews><sheetFormatPr baseColWidth="10" defaultRowHeight="15" x14ac:dyDescent="0.25"/><sheetData>${row(1, text('A1', 15))}</sheetData><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>`

/** Three supplies and one more with a number for its code, in a workshop of this name. */
export const excelWorkbook = (workshop: string) =>
  zip({
    '[Content_Types].xml': `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/worksheets/sheet2.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/theme/theme1.xml" ContentType="application/vnd.openxmlformats-officedocument.theme+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/xl/sharedStrings.xml" ContentType="${TYPE}.sharedStrings+xml"/><Override PartName="/xl/calcChain.xml" ContentType="${TYPE}.calcChain+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/><Override PartName="/docProps/app.xml" ContentType="application/vnd.openxmlformats-officedocument.extended-properties+xml"/></Types>`,
    '_rels/.rels': relationships([
      ['rId3', `${OFFICE}/extended-properties`, 'docProps/app.xml'],
      [
        'rId2',
        'http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties',
        'docProps/core.xml',
      ],
      ['rId1', `${OFFICE}/officeDocument`, 'xl/workbook.xml'],
    ]),
    'xl/workbook.xml': `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" mc:Ignorable="x15 xr xr6 xr10 xr2" xmlns:x15="http://schemas.microsoft.com/office/spreadsheetml/2010/11/main"><fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="27328"/><workbookPr defaultThemeVersion="166925"/><bookViews><workbookView xWindow="0" yWindow="0" windowWidth="28800" windowHeight="12225" activeTab="1"/></bookViews><sheets><sheet name="Listas" sheetId="2" state="hidden" r:id="rId2"/><sheet name="Inventario &amp; costos" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="_xlnm._FilterDatabase" localSheetId="1" hidden="1">'Inventario &amp; costos'!$A$3:$F$7</definedName></definedNames><calcPr calcId="191029"/></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ['rId3', `${OFFICE}/theme`, 'theme/theme1.xml'],
      ['rId2', `${OFFICE}/worksheet`, 'worksheets/sheet2.xml'],
      ['rId1', `${OFFICE}/worksheet`, 'worksheets/sheet1.xml'],
      ['rId6', `${OFFICE}/calcChain`, 'calcChain.xml'],
      ['rId5', `${OFFICE}/sharedStrings`, 'sharedStrings.xml'],
      ['rId4', `${OFFICE}/styles`, 'styles.xml'],
    ]),
    'xl/worksheets/sheet1.xml': SHEET,
    'xl/worksheets/sheet2.xml': HIDDEN,
    'xl/theme/theme1.xml': `${XML}<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Tema de Office"><a:themeElements><a:clrScheme name="Office"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1></a:clrScheme></a:themeElements></a:theme>`,
    'xl/styles.xml': STYLES,
    'xl/sharedStrings.xml': sharedStrings(workshop),
    'xl/calcChain.xml': `${XML}<calcChain xmlns="${MAIN}"><c r="C7" i="1"/><c r="E6" i="1"/><c r="D5" i="1"/><c r="D6" i="1"/></calcChain>`,
    'docProps/core.xml': `${XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:creator>Bodega</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">2026-03-01T12:00:00Z</dcterms:created></cp:coreProperties>`,
    'docProps/app.xml': `${XML}<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties" xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"><Application>Microsoft Excel</Application><DocSecurity>0</DocSecurity><ScaleCrop>false</ScaleCrop><AppVersion>16.0300</AppVersion></Properties>`,
  })
