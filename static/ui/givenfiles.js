// The files that a person gave, by a drop or a chooser, each with its path: folders are walked.

/** `transfer`: of a drop. Its entries are gone after the event, so they are taken before anything is awaited. */
export async function droppedFiles(transfer) {
  const entries = [...transfer.items].filter(({ kind }) => kind === "file")
    .map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile());
  return (await Promise.all(entries.map((entry) => walked(entry)))).flat();
}

/** `input`: of type file. */
export function chosenFiles(input) {
  return [...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function walked(entry) {
  if (!entry) return [];
  if (entry instanceof File) return [{ path: entry.name, file: entry }];
  const path = entry.fullPath.replace(/^\//, "");
  if (entry.isFile) return [{ path, file: await new Promise((found, failed) => entry.file(found, failed)) }];
  const reader = entry.createReader();
  const inside = [];
  for (;;) { // a reader gives some hundred at a time, and none at the end
    const some = await new Promise((found, failed) => reader.readEntries(found, failed));
    if (!some.length) break;
    inside.push(...some);
  }
  return (await Promise.all(inside.map((one) => walked(one)))).flat();
}
