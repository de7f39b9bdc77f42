/// Formats by their endings, and the options' defaults.
#include "file/bytes.h"
#include "reprise/file.h"

#include <string.h>
#include <strings.h>

rpReadDef rpDefaultReadDef(void)
{
	return (rpReadDef){.repair = true};
}

rpSaveDef rpDefaultSaveDef(void)
{
	return (rpSaveDef){.unitsPerMetre = 1.0, .mesh = true, .rootBone = true, .sidecar = true};
}

rpFormat rpFormat_FromPath(const char* path)
{
	static const struct
	{
		const char* ending;
		rpFormat format;
	} endings[] = {{".bvh", rp_formatBvh}, {".amc", rp_formatAmc}, {".glb", rp_formatGlb}, {".csv", rp_formatCsv}};
	const char* dot = strrchr(rpGetFileName(path), '.');
	for (size_t i = 0; dot != NULL && i < sizeof(endings) / sizeof(endings[0]); ++i)
	{
		if (strcasecmp(dot, endings[i].ending) == 0)
		{
			return endings[i].format;
		}
	}
	return rp_formatAuto;
}
